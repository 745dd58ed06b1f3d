import { describe, expect, it } from 'vitest'
import { CallerGuard } from '../../../../src/core/gateway/proxy/caller-guard.ts'

/** The Host headers of these that are answered. */
function answered(hosts: readonly string[], names: readonly string[], port: number, tls: boolean): string[] {
  const guard = new CallerGuard({ hosts: [], origins: [] })
  guard.answersTo(names, port, tls)
  return hosts.filter((host) => {
    try {
      guard.check({ host }, () => false)
      return true
    } catch {
      return false
    }
  })
}

describe('an address', () => {
  const hosts = ['10.0.0.1', '10.0.0.1:80', '10.0.0.1:443', '10.0.0.1:8443']

  it('is called with its port', () => {
    expect(answered(hosts, ['10.0.0.1'], 8443, true)).toEqual(['10.0.0.1:8443'])
  })

  it('is called without it, too, where that is its scheme’s own (RFC 9110 section 7.2), and not by the other scheme’s', () => {
    expect(answered(hosts, ['10.0.0.1'], 443, true)).toEqual(['10.0.0.1', '10.0.0.1:443'])
    expect(answered(hosts, ['10.0.0.1'], 80, false)).toEqual(['10.0.0.1', '10.0.0.1:80'])
    expect(answered(hosts, ['10.0.0.1'], 443, false)).toEqual(['10.0.0.1:443'])
    expect(answered(['[fd00::5]', '[fd00::5]:443', '[fd00::6]'], ['[fd00::5]'], 443, true)).toEqual([
      '[fd00::5]',
      '[fd00::5]:443',
    ])
  })
})
