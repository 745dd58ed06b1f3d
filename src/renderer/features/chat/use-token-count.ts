import { useEffect, useState } from 'react'
import type { PromptPart } from '../../../shared/contract/chat.ts'
import { api } from '../../ui/api.ts'
import { useService } from '../../ui/status-store.ts'

const PAUSE_MS = 400

interface Counted {
  readonly scope: string
  readonly key: string
  readonly tokens: number
  /** The estimate of the same content. */
  readonly estimate: number
}

interface CountOptions {
  /** Parts of one subject are similar, such as a draft before and after a word. */
  readonly subject: string
  /** Set for content that changes while the part stays the same. */
  readonly version?: string
}

/**
 * The tokens of a part of a prompt. The core counts them after a pause. Until then, the estimate is scaled by the last count of the same
 * subject, so that the number doesn't jump while a person writes. If the core can't count, the estimate stays.
 *
 * @param part the same object until it changes; undefined if the estimate is enough
 */
export function useTokenCount(
  part: PromptPart | undefined,
  estimate: number,
  { subject, version = '' }: CountOptions,
): number {
  const service = useService() ?? ''
  const [counted, setCounted] = useState<Counted>()
  const scope = `${service}\n${subject}`
  const key = `${scope}\n${version}\n${JSON.stringify(part)}`
  useEffect(() => {
    if (part === undefined) return
    const left = new AbortController()
    const count = async (): Promise<void> => {
      const { tokens } = await api.chat
        .countTokens(part, { signal: left.signal })
        .catch(() => ({ tokens: null }))
      if (!left.signal.aborted) setCounted(tokens === null ? undefined : { scope, key, tokens, estimate })
    }
    const timer = setTimeout(() => void count(), PAUSE_MS)
    return () => {
      left.abort()
      clearTimeout(timer)
    }
  }, [part, scope, key, estimate])
  if (counted?.scope !== scope) return estimate
  return counted.key === key
    ? counted.tokens
    : Math.round((counted.tokens * estimate) / Math.max(1, counted.estimate))
}
