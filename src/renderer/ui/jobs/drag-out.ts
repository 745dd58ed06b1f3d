import type { DragEvent } from 'react'
import type { JobFile } from '../../../shared/job.ts'

/** Chromium's own type of dragged data. */
const DOWNLOAD = 'DownloadURL'
/** A media type without parameters. */
const PLAIN_TYPE = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/
/** Characters that end a part of the value, or that name a path. */
const NOT_IN_NAMES = /[\p{Cc}:/\\]/gu

/**
 * Lets a browser save the dragged file where it's dropped, under its own name. Chromium supports this; other browsers
 * ignore it, and drop the address, which is short-lived.
 *
 * @param path of the file at this server, with the right to read it
 */
export function dragOut(
  { dataTransfer }: Pick<DragEvent, 'dataTransfer'>,
  { name, type }: Pick<JobFile, 'name' | 'type'>,
  path: string,
): void {
  if (!PLAIN_TYPE.test(type)) return
  const fileName = name.replaceAll(NOT_IN_NAMES, '_')
  dataTransfer.effectAllowed = 'copy'
  // Without the address itself: dropped into a text field, it would be sent with a message.
  dataTransfer.clearData()
  dataTransfer.setData(DOWNLOAD, `${type}:${fileName}:${new URL(path, location.href).href}`)
}

/** Whether a dragged file reaches other programs. The desktop app's addresses are readable only in its window. */
export function canDragOut(): boolean {
  return window.desktop === undefined
}
