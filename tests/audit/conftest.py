import pytest

from tests.audit.small_scene import SmallScene, small_trace


@pytest.fixture(scope="session")
def trace():
    return small_trace()


@pytest.fixture
def scene(trace):
    return SmallScene(trace).show()
