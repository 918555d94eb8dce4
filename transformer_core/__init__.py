"""A Transformer that keeps every number it computes, with its name.

`transformer_core.capture.capture` runs a model once and returns a `transformer_core.trace.Trace`. This
package knows nothing of screens, videos or command lines.
"""
