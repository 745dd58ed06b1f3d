import type { DragEvent } from 'react'

/**
 * Whether files are dragged over the element that handles the event. React also reports a drag over a dialog to the
 * parents of the component that opened the dialog, although the page shows it elsewhere.
 */
export function bringsFiles({ dataTransfer, target, currentTarget }: DragEvent): boolean {
  return dataTransfer.types.includes('Files') && target instanceof Node && currentTarget.contains(target)
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
