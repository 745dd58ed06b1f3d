import { readPage } from './read-document.ts'
/** A Jupyter notebook is JSON that an attacker may have written, so every member is checked where it is read. */
type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text is a string or a list of lines. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return listOf(value)
    .filter((line) => typeof line === 'string')
    .join('')
}

/**
 * A Jupyter notebook as text: each cell with its output. Pictures of outputs are named, because their data is no text.
 *
 * @returns null if this isn't a notebook
 */
export function readNotebook(text: string): string | null {
  const notebook = parse(text)
  if (!isObject(notebook) || !Array.isArray(notebook['cells'])) return null
  const cells = listOf(notebook['cells']).filter(isObject)
  if (cells.length === 0 || !cells.every((cell) => 'cell_type' in cell)) return null
  return cells
    .map((cell) => {
      const source = textOf(cell['source'])
      if (cell['cell_type'] !== 'code') return source
      const outputs = listOf(cell['outputs'])
        .filter(isObject)
        .map(outputText)
        .filter((output) => output !== '')
      return `[Code]\n${source}${outputs.length > 0 ? `\n[Output]\n${outputs.join('\n')}` : ''}`
    })
    .join('\n\n')
}

function parse(text: string): unknown {
  if (!text.trimStart().startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function outputText(output: Json): string {
  const data = isObject(output['data']) ? output['data'] : {}
  const error = [textOf(output['ename']), textOf(output['evalue'])].filter((part) => part !== '').join(': ')
  const plain =
    textOf(output['text']) ||
    textOf(data['text/plain']) ||
    textOf(data['text/markdown']) ||
    textOf(data['text/latex']) ||
    readPage(textOf(data['text/html'])) ||
    error
  const pictures = Object.keys(data).filter((type) => type.startsWith('image/'))
  return [plain, ...pictures.map((type) => `[Picture: ${type}]`)].filter((part) => part !== '').join('\n')
}
