import type { Rule, SourceCode } from 'eslint'
import { mayBeDenied } from './words/deny-list.ts'
import { checkText } from './words/rules.ts'

type Comment = ReturnType<SourceCode['getAllComments']>[number]

/** Comments for tools, which aren't prose. */
const DIRECTIVE = /^[*/!]?\s*(?:eslint-|oxlint-|@ts-|@vitest-|<reference|#__|@__|istanbul|v8 |global )/
const COMMENT_EDGE = /^\s*\*+ ?/gm
const CODE = /(`+)[^`]+\1/g
const ADDRESS = /\bhttps?:\/\/[^\s)]+/g
/** Starts a sentence of its own, whose first word may be a name. */
const TAG = /(?:^|\s)@(?:param|returns?|throws|see|type|typedef|template)\b(?:\s+\{[^}]*\})?/g

/** Comments use none of the words of lint/words/deny-list.ts. Line comments without a gap count as one. */
export const plainComments: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], messages: { denied: '{{problem}}' } },
  create(context) {
    return {
      'Program:exit'() {
        for (const [first, ...rest] of groupLines(context.sourceCode.getAllComments())) {
          if (!first?.loc) continue
          const text = [first, ...rest].map(({ value }) => value).join('\n')
          if (DIRECTIVE.test(text)) continue
          for (const problem of findDenied(text))
            context.report({ loc: first.loc, messageId: 'denied', data: { problem } })
        }
      },
    }
  },
}

/** Finds the denied words of a comment: “word” → its replacement. @param comment without its delimiters */
export function findDenied(comment: string): readonly string[] {
  const prose = comment
    .replaceAll(COMMENT_EDGE, '')
    .replaceAll(TAG, '\n\n')
    .replaceAll(CODE, '\ufffc')
    .replaceAll(ADDRESS, '\ufffc')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replaceAll(/\s*\n\s*/g, ' ').trim())
    .join('\n')
  if (!mayBeDenied.test(prose)) return []
  return checkText({ place: '', text: prose, role: 'text' }, { maxWords: Infinity, inWindow: false }).map(
    ({ problem }) => problem,
  )
}

/** Each block comment, and each run of line comments on lines that follow each other. */
function groupLines(comments: readonly Comment[]): readonly (readonly Comment[])[] {
  const groups: Comment[][] = []
  for (const comment of comments) {
    const before = groups.at(-1)?.at(-1)
    const continues =
      comment.type === 'Line' &&
      before?.type === 'Line' &&
      before.loc?.end.line === (comment.loc?.start.line ?? 0) - 1
    if (continues) groups.at(-1)?.push(comment)
    else groups.push([comment])
  }
  return groups
}
