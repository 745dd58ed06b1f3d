import { z } from 'zod'
import { ownerFetch, readSettings } from '../host/index.ts'
import { SottoError } from '../shared/errors.ts'
import { openInBrowser } from './open-browser.ts'
import { serve } from './serve.ts'

const answerSchema = z.object({ address: z.url(), redirect: z.string().min(1) }).nullable()

/** `sotto open`: shows the running Sotto, with a fresh address; starts one where none runs. */
export async function open({ print }: { print: boolean }): Promise<void> {
  let response: Response
  try {
    response = await ownerFetch((await readSettings()).dataDir)(
      new Request('http://sotto.invalid/open', { method: 'POST' }),
    )
  } catch (thrown) {
    if (!(thrown instanceof SottoError) || thrown.code !== 'host/owned') throw thrown
    return serve({ open: !print, json: false })
  }
  const answer = answerSchema.parse(await response.json())
  // Null: a window came to the front.
  if (answer === null) return
  if (print || !(await openInBrowser(answer.redirect))) process.stdout.write(`${answer.address}\n`)
}
