import { t } from '@lingui/core/macro'
import type { Status } from '../../../shared/status.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** Which computers can call the proxy, and whether others can read that traffic on its way. */
export function remoteAccessText({ baseUrl, reach }: Omit<Status['proxy'], 'serving'>): string {
  const here = LOOPBACK.includes(new URL(baseUrl).hostname)
    ? t`This computer, without TLS. This traffic never leaves the computer.`
    : sentence(baseUrl)
  return reach ? `${here} ${sentence(reach.baseUrl)}` : here
}

function sentence(baseUrl: string): string {
  return new URL(baseUrl).protocol === 'https:'
    ? t`Other computers, with TLS, at ${baseUrl}.`
    : t`Other computers, without TLS, at ${baseUrl}. Anyone on the network path can read keys, prompts, and replies.`
}
