"""Every tolerance of the tests, each with its reason. All are absolute, on numbers of size about 1."""

# Two float64 computations of the same model that sum in different orders: a few hundred terms lose a few
# hundred last bits (2^-52) at worst, and layers amplify them; measured 2e-14.
SAME_MODEL_FLOAT64 = 1e-11

# One float64 layer against torch's own.
SAME_LAYER_FLOAT64 = 1e-12

# The chapter's program is float64 NumPy; it masks with −1e9 where we have −∞, and exp gives 0 for both.
CHAPTER_EXAMPLE = 1e-12

# The sort model's intermediates are float32; measured 2e-6. A wrong GELU shows as 4.5e-3.
SORT_MODEL = 1e-5

# Goldens printed with six decimals are right to half a unit of the last one.
SIX_DECIMALS = 5.1e-7

# The goldens in torch's tests are cut off after the sixth decimal, not rounded.
SIX_DECIMALS_CUT = 1e-6

# ONNX gives rtol 1e-3 and atol 1e-7 with each case; outputs lie between 0 and 1, computed there in float32,
# here in float64.
ONNX_FLOAT32 = 1e-6

# ONNX's half-precision cases round after every step to 11 (float16) or 8 (bfloat16) bits: a few times 2^-8.
ONNX_HALF = 2e-2

# A float32 run of a small model against float64: 2^-23 times a few hundred terms.
FLOAT32_RUN = 1e-4

# A figure's outlines drawn by resvg or PDFium against the camera's cairo, in levels of 255. Flat areas differ by how
# opacities are rounded: measured 3. Means over 12 × 12 pixels differ by how edges are smoothed: measured 6; a
# digit that is missing shows as 40 or more.
FIGURE_FLAT = 4
FIGURE_BLOCK = 10

# A still of the README against the scene drawn on another machine: means over 6 × 6 pixels differ by how cairo smooths
# edges. A 3 in place of a 9 shows as 34.
STILL_BLOCK = 4

# Coordinates of an SVG, in steps of its grid (1/10000 of a frame unit): another processor's last bit may round one to
# its neighbour, and a step between two such by two.
OUTLINE_STEPS = 2

# Frames of a film after decoding against those drawn, in dB of the worst frame; without loss it is 138 here.
# Measured 44, 44, 46, 76.
FILM = {"mp4": 42.0, "webm": 42.0, "mov": 43.0, "gif": 60.0, "webp": 130.0}
# The same in the pixels that change while the film plays, antialiased digits here. Measured 31, 40, 55; 15 where it is
# one frame late.
MOVING_FILM = {"webm": 28.0, "mov": 37.0, "gif": 50.0, "webp": 130.0}
# The same of alpha. Measured 60, 73.
ALPHA_FILM = {"webm": 55.0, "mov": 68.0, "webp": 130.0}
