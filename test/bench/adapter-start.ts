import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { atMost, notMeasured, type Row } from './report.ts'
import { median, timed } from './statistics.ts'

const root = resolve(import.meta.dirname, '../..')

/**
 * The conformance suite starts a process for each call. This measures one of the smallest calls, including
 * Node's own start.
 */
export function adapterStart(starts: number): Row[] {
  const what = 'conformance adapter, one call from process start'
  if (!existsSync(join(root, 'out/conformance/adapter.js')))
    return [notMeasured(what, 'ms', 'not built: npm run build')]
  const input = JSON.stringify({
    schema_version: '1',
    source: { type: 'https://tinfoil.sh/predicate/sev-snp-guest/v2', registers: ['aa'.repeat(48)] },
  })
  const call = (...args: string[]) =>
    timed(() => {
      const { status } = spawnSync(process.execPath, args, { input })
      if (status !== 0) throw new Error(`it ended with ${String(status)}`)
    })
  const times = { adapter: [] as number[], bare: [] as number[] }
  for (let turn = 0; turn < starts; turn += 1) {
    times.adapter.push(call(join(root, 'test/conformance/adapter.mjs'), 'verify-measurement'))
    times.bare.push(call('-e', '0'))
  }
  return [
    {
      what,
      value: median(times.adapter),
      unit: 'ms',
      against: { what: 'Node by itself', value: median(times.bare) },
      aim: atMost(median(times.adapter), 100, 'ms'),
    },
  ]
}
