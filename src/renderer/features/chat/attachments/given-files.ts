import { t } from '@lingui/core/macro'

/** Whether what is dragged brings files along. */
export function bringsFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}

/** Files that were pasted; a picture has no name of its own. None where there is text to paste: a spreadsheet brings a picture of its cells too. */
export function pastedFiles(data: DataTransfer): File[] {
  if (data.types.includes('text/plain')) return []
  return [...data.files].map((file) =>
    /^image\.\w+$/.test(file.name) ? new File([file], pastedName(file), { type: file.type }) : file,
  )
}

function pastedName(file: File): string {
  const name = t`Pasted image`
  return `${name}.${file.name.split('.').at(-1) ?? 'png'}`
}
