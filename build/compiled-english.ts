import { compileMessage } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

interface Edit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The English of a sentence is in its code, so that a view loads with its English and doesn't wait for a
 * catalog. This plugin compiles the sentences, so that the window doesn't need the message parser.
 */
export function compiledEnglish(): Plugin {
  return {
    name: 'sotto:compiled-english',
    apply: 'build',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/(renderer|main)\/.*\.tsx?$/, code: '/*i18n*/' },
      handler(code) {
        const edits: Edit[] = []
        collect(this.parse(code, { lang: 'jsx' }), edits)
        let compiled = code
        for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start))
          compiled = compiled.slice(0, start) + text + compiled.slice(end)
        // The macros' map is by lines, and these edits stay in theirs.
        return { code: compiled, map: null }
      },
    },
  }
}

/** A descriptor as the macros write it: an object with an id, a message and its values. */
function collect(node: unknown, edits: Edit[]): void {
  if (Array.isArray(node)) return node.forEach((each) => collect(each, edits))
  if (!isRecord(node)) return
  if (node['type'] === 'ObjectExpression' && text(member(node, 'id')) !== undefined) {
    const message = member(node, 'message')
    const english = text(message)
    if (
      isRecord(message) &&
      english !== undefined &&
      typeof message['start'] === 'number' &&
      typeof message['end'] === 'number'
    ) {
      edits.push({
        start: message['start'],
        end: message['end'],
        text: JSON.stringify(compileMessage(english)),
      })
    }
  }
  Object.values(node).forEach((each) => collect(each, edits))
}

function member(node: Readonly<Record<string, unknown>>, name: string): unknown {
  const members: readonly unknown[] = Array.isArray(node['properties']) ? node['properties'] : []
  const found = members.find(
    (each) => isRecord(each) && isRecord(each['key']) && each['key']['name'] === name,
  )
  return isRecord(found) ? found['value'] : undefined
}

function text(node: unknown): string | undefined {
  return isRecord(node) && node['type'] === 'Literal' && typeof node['value'] === 'string'
    ? node['value']
    : undefined
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
