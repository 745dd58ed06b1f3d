import type { ToolServerRecord, ToolStep } from '../../../src/shared/tool-call.ts'

const DIGEST = 'ab'.repeat(32)

export function toolServer(id: string, more: Partial<ToolServerRecord> = {}): ToolServerRecord {
  return {
    id,
    name: 'files',
    command: '/usr/bin/canary-command',
    args: ['/canary-argument'],
    environment: { KEY: 'canary-key' },
    network: false,
    readOnly: false,
    programDigest: DIGEST,
    ...more,
  }
}

/** The first call of the answer `answer-1`. */
export function toolStep(more: Partial<ToolStep> = {}): ToolStep {
  const { answerId = 'answer-1', round = 0, index = 0 } = more
  return {
    id: `${answerId}.${String(round)}.${String(index)}`,
    conversationId: 'conversation-1',
    answerId,
    round,
    index,
    callId: 'call-1',
    functionName: 'files__read',
    arguments: '{"path":"canary-path"}',
    state: 'asked',
    ...more,
  }
}
