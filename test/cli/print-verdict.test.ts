import { expect, it, vi } from 'vitest'
import { printVerdict } from '../../src/cli/print-verdict.ts'
import { verdictNotices, type Verdict } from '../../src/shared/verdict.ts'
import { dataOf } from '../process/command-json.ts'

const codes = ['policy/provider-floor-accepted', 'report/tcb-below-expected'] as const
const verdict: Verdict = {
  good: true,
  steps: [],
  trust: 'built-in',
  enclaveHost: 'enclave.example',
  verifiedAt: 0,
  validUntil: 1,
  evidenceDigest: 'ab'.repeat(32),
  machine: { identity: '\u001b[2J1f', policy: 'genoa-prod' },
  notices: codes.map((code) => ({ code, says: verdictNotices[code] })),
}

function printed(json: boolean): string {
  let text = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((part) => {
    text += String(part)
    return true
  })
  try {
    printVerdict(verdict, json)
  } finally {
    spy.mockRestore()
  }
  return text
}

it('names the server and its rules, without characters that steer a terminal', () => {
  expect(printed(false)).toContain('\n  Server       \ufffd[2J1f, listed with the rules genoa-prod\n')
})

it('prints an accepted firmware floor and old firmware under a good verdict, for people and for programs', () => {
  const text = printed(false)
  expect(text).toMatch(/^Verified: enclave\.example/)
  expect(text).toContain(
    'Accepted floor below AMD-SB-3019: you accepted the provider’s lower firmware minimum.',
  )
  expect(text).toContain(
    'The server’s firmware meets the minimum but is older than on genuine servers seen before.',
  )
  expect(dataOf(printed(true))).toMatchObject({
    good: true,
    notices: [{ code: codes[0] }, { code: codes[1] }],
  })
})
