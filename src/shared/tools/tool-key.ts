import type { KeyLimitsText } from '../key-limits.ts'
import { runnableTools } from './runnable.ts'

export const runnableToolIds = runnableTools.map(({ id }) => id)

/** A key for a coding agent, which works unattended: $5 per day. */
const AGENT_LIMITS = {
  budget: { picoUsd: '5000000000000', period: 'day' },
  requestsPerMinute: 240,
} as const

/** The command that the key belongs to, so that it isn't mistaken for a key that the person created. */
export function toolKeyName(id: string, anyModel: boolean): string {
  const command = runnableTools.find((tool) => tool.id === id)?.command ?? id
  return `sotto run ${command}${anyModel ? ' --any-model' : ''}`
}

export function toolKeyLimits(anyModel: boolean): KeyLimitsText {
  // Some models that aren't private have no listed price. A spent budget refuses them, too.
  return anyModel ? { ...AGENT_LIMITS, allowUnpriced: true } : { ...AGENT_LIMITS, atLeast: 'sealed' }
}
