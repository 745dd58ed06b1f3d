import { describe, expect, it } from 'vitest'
import { isLoopback, isSecure, meansLoopback } from '../../src/shared/loopback.ts'

const hostname = (host: string): string => new URL(`https://${host}/`).hostname
const meanings = (host: string) => [isLoopback(hostname(host)), meansLoopback(hostname(host))]
const unencrypted = (host: string): boolean => isSecure(new URL(`http://${host}/`))

describe('a host', () => {
  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.1', '127.255.0.3', '[::1]', '[0:0:0:0:0:0:0:1]'])(
    '%s is certainly this computer',
    (host) => {
      expect(meanings(host)).toEqual([true, true])
      expect(unencrypted(host)).toBe(true)
    },
  )
  it.each(['localhost.', 'a.localhost', 'a.localhost.', '[::ffff:127.0.0.1]', '[::ffff:127.1.2.3]'])(
    '%s means this computer, and may not be reached unencrypted',
    (host) => {
      expect(meanings(host)).toEqual([false, true])
      expect(unencrypted(host)).toBe(false)
    },
  )
  it.each([
    'localhost.example',
    '127.example',
    '128.0.0.1',
    '10.127.0.0',
    '[::2]',
    '[::ffff:126.0.0.1]',
    '0.0.0.0',
    'notlocalhost',
    'localhost..',
  ])('%s is another computer, which only https reaches securely', (host) => {
    expect(meanings(host)).toEqual([false, false])
    expect(unencrypted(host)).toBe(false)
    expect(isSecure(new URL(`https://${host}/`))).toBe(true)
  })
})
