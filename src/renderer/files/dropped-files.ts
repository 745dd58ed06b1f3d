/** Whether a drag contains files. */
export function bringsFiles(data: DataTransfer | null): boolean {
  return data?.types.includes('Files') === true
}

/**
 * The files and the folders of a drop. The browser tells them apart only while it handles the drop, and only in its entries: a folder
 * is among the files too, as a file that can't be read.
 */
export function droppedItems(data: DataTransfer): {
  readonly files: readonly File[]
  readonly folders: readonly FileSystemDirectoryEntry[]
} {
  const files: File[] = []
  const folders: FileSystemDirectoryEntry[] = []
  for (const item of data.items) {
    if (item.kind !== 'file') continue
    const entry = item.webkitGetAsEntry()
    const file = item.getAsFile()
    if (entry && isFolder(entry)) folders.push(entry)
    else if (file) files.push(file)
  }
  return { files, folders }
}

function isFolder(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
