import { basename } from 'node:path'
import type { AST, Rule } from 'eslint'

export const MIN_LINES = 25
export const MAX_LINES = 400
/** A file that is too long has one more problem for each of these, so that it can't grow unnoticed. */
const STEP = 50
/** A folder's exports, what a thread or process starts with, declarations and settings of tools are as short as they need to be. */
const MAY_BE_SHORT = /^(?:index|main|.*-worker)\.tsx?$|\.d\.ts$|\.config\.[jt]s$/

/** How far a file is from the sizes of house style, in problems. @param name without folders */
export function countSizeProblems(name: string, lines: number): number {
  if (lines > MAX_LINES) return Math.ceil((lines - MAX_LINES) / STEP)
  return lines < MIN_LINES && !MAY_BE_SHORT.test(name) ? 1 : 0
}

/** A file has at least 25 lines, unless it is an entry, and at most 400. */
export const fileSize: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { size: 'A file of {{lines}} lines: at least {{least}}, at most {{most}}.' },
  },
  create(context) {
    return {
      Program() {
        const text = context.sourceCode.getText()
        const lines = context.sourceCode.lines.length - (text.endsWith('\n') ? 1 : 0)
        const loc: AST.SourceLocation = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }
        const data = { lines: String(lines), least: String(MIN_LINES), most: String(MAX_LINES) }
        for (let problem = countSizeProblems(basename(context.filename), lines); problem > 0; problem--)
          context.report({ loc, messageId: 'size', data })
      },
    }
  },
}
