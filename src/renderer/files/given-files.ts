import { t } from '@lingui/core/macro'

/** Text with more lines than this becomes a file, so that a pasted log or source file doesn't bury the message. */
const MAX_PASTED_LINES = 40

/**
 * The files that a paste attaches, or none if its text belongs in the field.
 * A spreadsheet pastes a picture of its cells too, so a picture counts only if there is no text.
 */
export function pastedFiles(data: DataTransfer): File[] {
  const text = data.getData('text/plain')
  if (text === '' && !data.types.includes('text/plain'))
    return [...data.files].map((file) =>
      /^image\.\w+$/.test(file.name) ? new File([file], pastedName(file), { type: file.type }) : file,
    )
  const files = filesWithTheirNames(data)
  if (files.length > 0) return files
  return isLongPaste(text) ? [new File([text], `${t`Pasted text`}.txt`, { type: 'text/plain' })] : []
}

/** Whether a text would bury the message. */
export function isLongPaste(text: string): boolean {
  return text.split('\n', MAX_PASTED_LINES + 1).length > MAX_PASTED_LINES
}

/** File managers paste the names of files, or their paths or addresses, in addition to the files. */
export function filesWithTheirNames(data: DataTransfer): File[] {
  const files = [...data.files]
  const names = new Set(files.map(({ name }) => name.normalize()))
  const lines = data
    .getData('text/plain')
    .split(/[\r\n]+/, MAX_PASTED_LINES + 1)
    .map((line) => line.trim())
    .filter((line) => line !== '')
  return lines.length > 0 && lines.every((line) => names.has(lastPart(line))) ? files : []
}

/** @returns the name of the file that a path or a file address leads to */
function lastPart(line: string): string {
  if (!/^file:/i.test(line)) return (line.split(/[/\\]/).at(-1) ?? '').normalize()
  try {
    return decodeURIComponent(line.split('/').at(-1) ?? '').normalize()
  } catch {
    return ''
  }
}

function pastedName(file: File): string {
  const name = t`Pasted image`
  return `${name}.${file.name.split('.').at(-1) ?? 'png'}`
}
