import { basename, extname } from 'node:path'
import type { AST, Rule } from 'eslint'
import { deniedNames, splitName } from './words/denied-names.ts'

const MEMBERS =
  ':matches(TSPropertySignature, TSMethodSignature, PropertyDefinition, MethodDefinition)[computed=false] > Identifier.key'
/** The kind of a file, which follows its name. */
const KIND = /\.(?:test|spec|fuzz|module|config|d)$/
const FIRST_LINE: AST.SourceLocation = { start: { line: 1, column: 0 }, end: { line: 1, column: 0 } }

/**
 * The names that a file declares, and its own, use none of the words of lint/words/denied-names.ts.
 * An imported or destructured name counts in the file that declares it.
 */
export const plainNames: Rule.RuleModule = {
  meta: { type: 'suggestion', schema: [], messages: { denied: '{{name}}: “{{found}}” → {{better}}' } },
  create(context) {
    const destructured = new Set<unknown>()
    const check = (name: string, loc: AST.SourceLocation | null | undefined): void => {
      const denied = findDenied(name)
      if (denied) context.report({ loc: loc ?? FIRST_LINE, messageId: 'denied', data: { name, ...denied } })
    }
    return {
      Program() {
        check(basename(context.filename, extname(context.filename)).replace(KIND, ''), FIRST_LINE)
      },
      [MEMBERS](node: Rule.Node) {
        if (node.type === 'Identifier') check(node.name, node.loc)
      },
      'ObjectPattern > Property[shorthand=true] Identifier'(node: Rule.Node) {
        destructured.add(node)
      },
      'Program:exit'() {
        for (const { type, variables } of context.sourceCode.scopeManager.scopes) {
          // A class has its name in its own scope too.
          if (type === 'class') continue
          for (const { name, defs } of variables) {
            const [first] = defs
            if (first && first.type !== 'ImportBinding' && !destructured.has(first.name))
              check(name, first.name.loc)
          }
        }
      },
    }
  },
}

interface Found {
  readonly found: string
  readonly better: string
}

/** Most names occur in many files. */
const cache = new Map<string, Found | undefined>()

function findDenied(name: string): Found | undefined {
  if (!cache.has(name)) cache.set(name, matchDenied(splitName(name)))
  return cache.get(name)
}

function matchDenied(split: string): Found | undefined {
  for (const { pattern, better } of deniedNames) {
    const found = pattern.exec(split)?.[0]
    if (found !== undefined) return { found, better }
  }
  return undefined
}
