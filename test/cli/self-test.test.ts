import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { SelfTestAttempt, SelfTestResult } from '../../src/shared/self-test.ts'
import {
  faultsOn,
  sandboxFaults,
  sandboxPlatformSchema,
  serviceEnclaveFaultNames,
} from '../../src/shared/sandbox-faults.ts'
import { runSotto, type Finished } from '../process/sotto-process.ts'
import { dataOf } from '../process/command-json.ts'

let folder: string
let finished: Finished
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-self-test-test-'))
  await mkdir(join(folder, 'tmp'))
  // The proxy does not exist, so any request that left this machine would fail.
  finished = await runSotto(['self-test', '--json'], {
    SOTTO_DATA_DIR: join(folder, 'data'),
    TMPDIR: join(folder, 'tmp'),
    HTTPS_PROXY: 'http://127.0.0.1:9',
  })
}, 240_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

function played(): (SelfTestAttempt & SelfTestResult)[] {
  return (dataOf(finished.stdout) as { attempts: (SelfTestAttempt & SelfTestResult)[] }).attempts
}

it('plays every fault on every platform, and everything is refused as it must be', () => {
  expect(finished.code).toBe(0)
  expect(finished.stderr).toBe('')
  expect(dataOf(finished.stdout)).toMatchObject({ held: true, complete: true })
  expect(played().map(({ platform, fault }) => [platform, fault])).toEqual([
    ...sandboxPlatformSchema.options.flatMap((platform) =>
      [null, ...faultsOn(platform)].map((fault) => [platform, fault]),
    ),
    ...[null, ...serviceEnclaveFaultNames].map((fault) => ['service-enclave', fault]),
  ])
  expect(played().filter(({ held }) => !held)).toEqual([])
})

it('of a spoiled proof not one byte of a body arrived; of a spoiled answer only sealed ones', () => {
  for (const { platform, fault, refusal, received } of played()) {
    if (fault === null) expect([refusal, received.bodyBytes > 0, received.sealed]).toEqual([null, true, true])
    else if (sandboxFaults[fault].spoils === 'proof')
      expect([refusal === null, received.bodyBytes]).toEqual([false, 0])
    // A fault in the route of a relayed request causes no refusal: the receipt reports it.
    else
      expect([refusal === null, received.bodyBytes > 0, received.sealed]).toEqual([
        platform === 'service-enclave',
        true,
        true,
      ])
  }
})

it('touches no data folder, and leaves nothing behind', async () => {
  expect(existsSync(join(folder, 'data'))).toBe(false)
  expect(await readdir(join(folder, 'tmp'))).toEqual([])
})
