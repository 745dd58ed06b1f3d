import type { Page } from '@playwright/test'

/**
 * Returns every text that scripts of the page hold in their own memory after a garbage collection.
 * `wholePage` searches the texts of fields and elements.
 */
export async function windowMemory(page: Page): Promise<string> {
  const session = await page.context().newCDPSession(page)
  const chunks: string[] = []
  session.on('HeapProfiler.addHeapSnapshotChunk', ({ chunk }) => chunks.push(chunk))
  try {
    await session.send('HeapProfiler.enable')
    await session.send('HeapProfiler.collectGarbage')
    await session.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false, captureNumericValue: false })
  } finally {
    await session.detach()
  }
  return chunks.join('')
}
