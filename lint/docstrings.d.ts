import type { Rule } from 'eslint'

/** Every exported function and class has a docstring. */
export const docstrings: Rule.RuleModule
