import { t } from '@lingui/core/macro'
import type { Status } from '../../../shared/status.ts'

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

/** From where the proxy can be called, and whether what is said on the way can be read. */
export function reachWords({ baseUrl, reach }: Omit<Status['proxy'], 'serving'>): string {
  const here = LOOPBACK.includes(new URL(baseUrl).hostname) ? t`This machine, without TLS: what is said there does not leave it.` : sentence(baseUrl)
  return reach ? `${here} ${sentence(reach.baseUrl)}` : here
}

function sentence(baseUrl: string): string {
  return new URL(baseUrl).protocol === 'https:'
    ? t`Other machines, with TLS, at ${baseUrl}.`
    : t`Other machines, without TLS, at ${baseUrl}: whoever is on the way can read keys, questions and answers.`
}
