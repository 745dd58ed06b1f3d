import type { Page } from '@playwright/test'

/** After this long without a change, the page counts as settled. */
const QUIET_MS = 700

interface Opening {
  /** Milliseconds since the press. */
  readonly first: number
  readonly settled: number
}

declare global {
  interface Window {
    benchKeys: number[]
    benchOpening: Promise<Opening>
  }
}

/** Makes the page record, for each key, when the next frame after the key is presented. */
export async function noteKeys(page: Page): Promise<void> {
  await page.evaluate(() => {
    window.benchKeys = []
    addEventListener(
      'keydown',
      ({ timeStamp }) => {
        requestAnimationFrame(() => {
          // A message arrives after the frame's own work: style, layout and paint.
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => window.benchKeys.push(performance.now() - timeStamp)
          port2.postMessage(0)
        })
      },
      true,
    )
  })
}

export const notedKeys = (page: Page): Promise<number[]> => page.evaluate(() => window.benchKeys)

/** Makes the page record, from the next press on, when these words first appear and when changes end. */
export async function noteOpening(page: Page, messages: string, text: string): Promise<void> {
  await page.evaluate(
    ([messages, searchText, quiet]) => {
      window.benchOpening = new Promise((resolve) => {
        let pressed = 0
        let first: number | undefined
        let last = 0
        const painted = (then: () => void) =>
          requestAnimationFrame(() => {
            const { port1, port2 } = new MessageChannel()
            port1.onmessage = then
            port2.postMessage(0)
          })
        let noting = false
        const changed = () => {
          // A single record for each frame, because all changes of a frame appear together.
          if (pressed === 0 || noting) return
          noting = true
          painted(() => {
            noting = false
            last = performance.now() - pressed
            if (
              first === undefined &&
              document.querySelector(messages)?.textContent.includes(searchText) === true
            )
              first = last
          })
        }
        new MutationObserver(changed).observe(document.body, {
          subtree: true,
          childList: true,
          characterData: true,
          attributes: true,
        })
        addEventListener('scroll', changed, { capture: true, passive: true })
        addEventListener(
          'click',
          ({ timeStamp }) => {
            pressed = timeStamp
          },
          { capture: true, once: true },
        )
        const look = () => {
          if (first === undefined || performance.now() - pressed - last < quiet)
            return void setTimeout(look, 50)
          resolve({ first, settled: last })
        }
        look()
      })
    },
    [messages, text, QUIET_MS] as const,
  )
}

/** A peer may take minutes for a list of ten thousand. */
export const TIMEOUT_MS = 240_000

/** Throws if nothing appears, or if the changes don't end, in time. */
export async function notedOpening(page: Page): Promise<Opening> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => reject(new Error(`it was not open within ${String(TIMEOUT_MS / 1000)} s`)),
    TIMEOUT_MS,
  )
  try {
    return await Promise.race([page.evaluate(() => window.benchOpening), late])
  } finally {
    clearTimeout(timer)
  }
}
