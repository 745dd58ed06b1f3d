import { randomBytes } from 'node:crypto'
import { join, resolve } from 'node:path'
import { DataFolder } from '../host/data-folder.ts'
import { readSettings } from '../host/settings.ts'
import { startLoneSandbox } from '../host/lone-sandbox.ts'
import { jsonLine } from './json-output.ts'

export interface SandboxCommand {
  readonly port: number
  readonly revision: 'A' | 'B'
  readonly data?: string
  readonly seed?: string
  readonly lightning: 'simulated' | 'ldk'
  readonly json: boolean
}

/** The balance of the test account: 20 USD in pico-USD. */
const funds = 20_000_000_000_000n

/** `sotto sandbox`: runs only the simulated service, to test other clients against it. */
export async function sandbox({
  port,
  revision,
  data,
  seed,
  lightning,
  json,
}: SandboxCommand): Promise<void> {
  const controlToken = randomBytes(24).toString('base64url')
  const running = await startLoneSandbox({
    folder:
      data === undefined
        ? join((await DataFolder.check((await readSettings()).dataDir)).path, 'sandbox-alone')
        : resolve(data),
    port,
    revision,
    lightning,
    controlToken,
    ledger: data === undefined ? 'memory' : 'file',
    ...(seed !== undefined && { seed }),
  })
  const { creditId, apiKey } = (await running.control()).firstAccount(funds)
  const { baseUrl } = running
  process.stdout.write(
    json
      ? `${jsonLine({ baseUrl, revision, creditId, apiKey, controlToken })}\n`
      : [
          `Base URL       ${baseUrl}   (revision ${revision})`,
          `API reference  ${baseUrl}/openapi.html and ${baseUrl}/openapi.json`,
          `Test account   credit ID ${creditId}`,
          `               API key   ${apiKey}`,
          `Control        POST ${baseUrl}/_sandbox/control   X-Sandbox-Control: ${controlToken}`,
          '',
        ].join('\n'),
  )
  if (revision === 'B') {
    await running.trust()
    if (!json) process.stdout.write(`Attestation    ${baseUrl}/private/attestation\n`)
  }
  await new Promise<void>((stop) => {
    process.once('SIGINT', () => stop())
    process.once('SIGTERM', () => stop())
  })
  await running.close()
}
