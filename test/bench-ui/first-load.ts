import { gzipSync } from 'node:zlib'
import type { Browser } from '@playwright/test'
import { startMockServer } from '../e2e/mock-server.ts'
import { openWindow } from '../e2e/open-window.ts'

/** Bytes of script that load before a person can write, with each file compressed separately. */
export async function firstScript(browser: Browser): Promise<number> {
  await using mock = await startMockServer()
  const page = await browser.newPage()
  try {
    const files: Promise<number>[] = []
    page.on('response', (response) => {
      if (response.request().resourceType() === 'script')
        files.push(response.body().then((body) => gzipSync(body, { level: 9 }).length))
    })
    await openWindow(page, mock)
    await page.getByLabel('Message', { exact: true }).waitFor()
    // The window keeps a connection open for changes, so its network is never idle.
    await page.waitForFunction(() => {
      const scripts = performance
        .getEntriesByType('resource')
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .filter(({ initiatorType }) => initiatorType !== 'fetch')
      return performance.now() - Math.max(...scripts.map(({ responseEnd }) => responseEnd)) > 500
    })
    return (await Promise.all(files)).reduce((sum, bytes) => sum + bytes, 0)
  } finally {
    await page.close()
  }
}
