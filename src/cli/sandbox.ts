import { join } from 'node:path'
import { readSettings, startLoneSandbox } from '../host/index.ts'

/** `sotto sandbox`: the pretended service alone, for trying other clients against it. */
export async function sandbox({ port }: { port: number }): Promise<void> {
  const running = await startLoneSandbox({ folder: join(readSettings().dataDir, 'sandbox-alone'), port })
  process.stdout.write(`The sandbox is at ${running.baseUrl}\n`)
  await running.trust()
  process.stdout.write(`Its enclave is at ${running.baseUrl}/private/attestation\n`)
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
  await running.close()
}
