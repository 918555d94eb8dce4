"""The ONNX standard's node cases, by operator: one reading for all tests, because the collector keeps a global list."""

import warnings
from functools import cache

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # building other operators' cases overflows on purpose
    from onnx import helper
    from onnx.backend.test.case.node import collect_testcases


class Case:
    """One node, its named inputs and outputs."""

    def __init__(self, case):
        (self.node,) = case.model.graph.node
        self.name = case.name
        self.attributes = {item.name: helper.get_attribute_value(item) for item in self.node.attribute}
        given, wanted = case.data_sets[0]
        self.inputs = dict(zip([name for name in self.node.input if name], given, strict=True))
        self.outputs = dict(zip([name for name in self.node.output if name], wanted, strict=True))

    @property
    def half(self):
        return any(str(array.dtype) in ("float16", "bfloat16") for array in self.inputs.values())


@cache
def all_cases():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return collect_testcases(None)


@cache
def cases(operator):
    alone = [case for case in all_cases() if [node.op_type for node in case.model.graph.node] == [operator]]
    return {case.name: Case(case) for case in alone}
