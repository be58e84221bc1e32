"""Weights of the reader: what speaks for a candidate, and how sure the best one is.

Fitted on every other question of samples of MuSiQue, HotpotQA, 2WikiMultihopQA, XQuAD, WikiQA and
MultiHop-RAG, and checked on the others, by gradient descent on the softmax over the candidates of
a question, and by logistic regression on whether the best of them is right, with questions among
them that have no answer. One set of weights serves them all.
"""

from collections.abc import Mapping

CANDIDATE: Mapping[str, float] = {
    "focus": 0.66,
    "cover": 0.25,
    "document": -0.66,
    "score": 2.52,
    "rank": 2.58,
    "rank0": -1.26,
    "linked_late": 0.64,
    "named": -1.02,
    "named_early": -0.51,
    "bridge": 1.06,
    "chain": 3.56,
    "beside": 0.42,
    "first": 0.28,
    "near": 1.45,
    "fit": 1.54,
    "clash": -1.87,
    "focus_near": 0.61,
    "cover_near": 1.64,
    "own": 0.19,
    "title": 0.88,
    "titles": 0.82,
    "title_late": -0.5,
    "titles_late": -0.74,
    "is_bridge": -0.23,
    "noun": 1.75,
    "stated": 1.06,
    "partly": -0.36,
    "length": 0.12,
    "common": -1.19,
    "mixed": -0.82,
    "spread": -0.38,
    "in": 0.61,
    "by": 0.46,
    "absent": -0.87,
    "cue": 0.49,
    "event": 0.92,
    "no_event": -0.9,
    "valued": -0.39,
    "isbound": 1.18,
    "sure": 1.18,
}

SURE: Mapping[str, float] = {
    "likely": 1.07,
    "chain": 0.27,
    "cover": -0.95,
    "alike": 2.97,
    "fit": 0.45,
    "clash": 0.4,
    "focus": 0.35,
    "named": 0.31,
    "constant": -1.65,
}

SENTENCE: Mapping[str, float] = {
    "cover": 1.81,
    "own": 1.6,
    "focus": 0.68,
    "document": 1.05,
    "named": 0.64,
    "called": 0.53,
    "alike": 2.27,
    "rank": 1.68,
    "first": 0.73,
    "second": 0.64,
    "defines": 0.78,
    "short": -0.15,
}

SURE_SENTENCE: Mapping[str, float] = {
    "likely": 1.21,
    "cover": 0.74,
    "own": 0.87,
    "called": -1.12,
    "alike": 3.5,
    "first": -0.47,
    "defines": -0.39,
    "constant": -1.91,
}
