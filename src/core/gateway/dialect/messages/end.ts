import type { TokenUsage } from '../../../../shared/receipt.ts'

export interface MessageEnd {
  readonly stop_reason: 'end_turn' | 'max_tokens' | 'stop_sequence' | 'tool_use' | 'refusal'
  readonly stop_sequence: string | null
}

/**
 * Returns why an answer ended. Chat completions also have `stop` for a stop sequence, and few servers name
 * the sequence. Without its name the reason is `end_turn`.
 */
export function messageEnd(
  {
    finishReason,
    stopReason,
    calls,
    refused,
  }: { finishReason: string | undefined; stopReason: unknown; calls: boolean; refused: boolean },
  stopSequences: readonly string[],
): MessageEnd {
  if (finishReason === 'length') return { stop_reason: 'max_tokens', stop_sequence: null }
  if (refused || finishReason === 'content_filter') return { stop_reason: 'refusal', stop_sequence: null }
  if (calls) return { stop_reason: 'tool_use', stop_sequence: null }
  if (typeof stopReason === 'string' && stopSequences.includes(stopReason))
    return { stop_reason: 'stop_sequence', stop_sequence: stopReason }
  return { stop_reason: 'end_turn', stop_sequence: null }
}

/** Anthropic counts cached tokens separately. If the service counted nothing, the numbers are 0. */
export function messageUsage(usage: TokenUsage | undefined): {
  input_tokens: number
  cache_creation_input_tokens: number
  cache_read_input_tokens: number
  output_tokens: number
} {
  const { prompt = 0, cached = 0, completion = 0 } = usage ?? {}
  return {
    input_tokens: prompt - cached,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
    output_tokens: completion,
  }
}
