import type { Page } from '@playwright/test'
import { STREAMS_PATH } from '../../src/shared/stream-procedures.ts'

/**
 * Collects the page's errors, violations of the content security policy, and requests to other origins.
 *
 * @param origin of the page's server
 * @returns the faults, which grow while the page is used
 */
export async function collectFaults(page: Page, origin: string): Promise<readonly string[]> {
  const faults: string[] = []
  const isFirefox = page.context().browser()?.browserType().name() === 'firefox'
  page.on('pageerror', ({ message }) => {
    // Firefox reports violations as errors too, without their source. The event below reports each with its source.
    if (!isFirefox || !message.startsWith('The page’s settings blocked')) faults.push(message)
  })
  page.on('console', (message) => {
    // A failure with a code has status 422, and an unknown tab or session 401. Chromium logs both.
    if (message.type() === 'error' && !/status of (401|422)/.test(message.text())) faults.push(message.text())
  })
  // If the page catches such an error, the console shows no violation.
  await page.addInitScript((ignoresDriver) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      // In Firefox, Playwright's code for screenshots adds a style. The page itself can't evaluate code.
      if (!ignoresDriver || !decodeURI(sourceFile).endsWith('> eval'))
        console.error(`stopped by policy: ${effectiveDirective} ${blockedURI} in ${sourceFile}`)
    })
  }, isFirefox)
  page.on('request', (request) => {
    if (![`${origin}/`, `blob:${origin}/`, 'data:'].some((prefix) => request.url().startsWith(prefix)))
      faults.push(`request to ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (socket.url() !== `${origin.replace(/^http/, 'ws')}${STREAMS_PATH}`)
      faults.push(`connection to ${socket.url()}`)
  })
  return faults
}
