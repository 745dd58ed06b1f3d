import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Text } from './text.ts'

const QUOTED = /"((?:[^"\\]|\\.)*)"/
const ESCAPED = /\\(.)/g

/**
 * Reads the English messages of a gettext catalog.
 * @param file relative to `root`
 * @param isOurs decides by the source files of a message whether it belongs to the caller
 */
export function readCatalog(
  root: string,
  file: string,
  isOurs: (origins: readonly string[]) => boolean = () => true,
): readonly Text[] {
  const found: Text[] = []
  let origins: string[] = []
  let line = 0
  let message: { line: number; text: string } | undefined
  const finish = (): void => {
    if (message !== undefined && message.text !== '' && isOurs(origins))
      found.push({ place: `${file}:${message.line}`, text: message.text, role: 'text' })
    message = undefined
  }
  for (const written of readFileSync(join(root, file), 'utf8').split('\n')) {
    line++
    if (written === '') origins = []
    else if (written.startsWith('#: ')) origins.push(...written.slice(3).split(' '))
    else if (written.startsWith('msgid ')) message = { line, text: unquote(written) }
    else if (written.startsWith('msgstr')) finish()
    else if (written.startsWith('"') && message) message.text += unquote(written)
  }
  return found
}

function unquote(line: string): string {
  return (QUOTED.exec(line)?.[1] ?? '').replaceAll(ESCAPED, (_, sign: string) => (sign === 'n' ? '\n' : sign))
}
