import type { Rule } from 'eslint'
import { findDenied } from './plain-comments.ts'

/** Also with a modifier: `it.each(rows)('title', …)`, `describe.skipIf(absent)('title', …)`. */
const TESTS = /^(?:describe|it|test)(?![\w$])/
const VALUE = /\$\{[^}]*\}/g

/**
 * The titles of tests use none of the words of lint/words/deny-list.ts. Values in a title aren't checked,
 * because they may be quoted.
 */
export const plainTitles: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], messages: { denied: '{{problem}}' } },
  create(context) {
    const { sourceCode } = context
    return {
      CallExpression(node) {
        const [title, body] = node.arguments
        if (title === undefined || body === undefined || !TESTS.test(sourceCode.getText(node.callee))) return
        if (title.type !== 'Literal' && title.type !== 'TemplateLiteral') return
        const text = sourceCode.getText(title).slice(1, -1).replaceAll(VALUE, '\ufffc')
        for (const problem of findDenied(text))
          context.report({ node: title, messageId: 'denied', data: { problem } })
      },
    }
  },
}
