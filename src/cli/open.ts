import { ownerFetch, readSettings } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { openBrowser } from './open-browser.ts'
import { serve } from './serve.ts'

/** `sotto open`: shows the running Sotto, with a fresh address; starts one where none runs. */
export async function open({ print }: { print: boolean }): Promise<void> {
  const settings = readSettings()
  let response: Response
  try {
    response = await ownerFetch(settings.dataDir)(new Request('http://sotto.invalid/open', { method: 'POST' }))
  } catch (thrown) {
    if (!(thrown instanceof SottoError)) throw thrown
    return serve({ open: !print, json: false })
  }
  const answer: unknown = await response.json()
  const address = typeof answer === 'object' && answer !== null && 'address' in answer && typeof answer.address === 'string' ? answer.address : null
  // Null: a window came to the front.
  if (address === null) return
  if (print || !(await openBrowser(address, settings.dataDir))) process.stdout.write(`${address}\n`)
}
