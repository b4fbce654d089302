module

public import LeanPrefixCache.Spec
