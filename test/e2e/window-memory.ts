import type { Page } from '@playwright/test'

/**
 * Every text that scripts of the page hold, after all garbage was collected: in their own memory, wherever they keep it. What
 * stands in fields and elements is the page's own, and is looked for by wholePage.
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
