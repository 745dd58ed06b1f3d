import type { ExportEvent } from '../../shared/library/conversation-file.ts'

/**
 * Reads a file that the core sends in pieces.
 * @returns the pieces of the complete file, and how many records are in it or couldn't be read
 * @throws {Error} if it ends early or was stopped
 */
export async function readExport(
  events: AsyncIterable<ExportEvent>,
  signal: AbortSignal,
  onProgress: (progress: { done: number; of: number }) => void,
): Promise<{ parts: string[]; conversations: number; unreadable: number; unreadableFiles: number }> {
  const parts: string[] = []
  for await (const event of events) {
    signal.throwIfAborted()
    if (event.type === 'text') parts.push(event.text)
    else if (event.type === 'progress') onProgress(event)
    else
      return {
        parts,
        conversations: event.conversations,
        unreadable: event.unreadable,
        unreadableFiles: event.unreadableFiles ?? 0,
      }
  }
  signal.throwIfAborted()
  // A file that ended early isn't valid.
  throw new Error('the file did not end')
}
