import { t } from '@lingui/core/macro'

/** Whether what is dragged brings files along. */
export function bringsFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}

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
  const files = [...data.files].filter(({ name }) => name === text.trim())
  // A file manager pastes the name of a file next to the file.
  if (files.length > 0) return files
  if (text.split('\n', MAX_PASTED_LINES + 1).length <= MAX_PASTED_LINES) return []
  return [new File([text], `${t`Pasted text`}.txt`, { type: 'text/plain' })]
}

function pastedName(file: File): string {
  const name = t`Pasted image`
  return `${name}.${file.name.split('.').at(-1) ?? 'png'}`
}
