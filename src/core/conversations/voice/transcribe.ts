import { toAsyncIterable } from '../../../shared/byte-buffer.ts'
import { z } from 'zod'
import { MAX_HEARD_BYTES } from '../../../shared/audio-limits.ts'
import { isPrivateOnly } from '../../../shared/conversation-tree.ts'
import { SottoError } from '../../../shared/errors.ts'
import { isPrivateModel } from '../../../shared/privacy.ts'
import type { Caller, Receipt } from '../../../shared/receipt.ts'
import { msg } from '../../../shared/localized-text.ts'
import type { UnlockedCore } from '../../rpc/context.ts'
import { requireInProject } from '../../projects/private-only.ts'
import { readBytes } from '../../../shared/limited-body.ts'
import { sniffSound } from './sound.ts'
import { tryParseJson } from '../../../shared/strict-json.ts'

const MAX_ANSWER_BYTES = 4 * 1024 * 1024
/** The id in a consent for a conversation that hasn't begun. */
const NEW_CONVERSATION = 'new'

export interface Dictation {
  readonly content: Blob
  readonly durationMs?: number | undefined
  readonly model?: string | undefined
  readonly language?: string | undefined
  readonly conversationId?: string | undefined
  readonly projectId?: string | undefined
  readonly chatModel?: string | undefined
  readonly consentId?: string | undefined
}

const answerSchema = z.object({ text: z.string() })

/** Throws voice/invalid-recording, project/private-only and privacy/consent-… before anything is sent. */
export async function transcribe(
  core: Pick<UnlockedCore, 'relay' | 'conversations' | 'consents' | 'store'>,
  dictation: Dictation,
  kind: Caller['kind'],
  signal: AbortSignal,
): Promise<{ text: string; receipt?: Receipt }> {
  const { content, durationMs, model, language } = dictation
  if (content.size === 0)
    throw new SottoError('voice/invalid-recording', { detail: msg('The recording is empty.') })
  if (content.size > MAX_HEARD_BYTES)
    throw new SottoError('voice/invalid-recording', { detail: msg('The recording is larger than 25 MB.') })
  const bytes = new Uint8Array(await content.arrayBuffer())
  const { type, ending } = sniffSound(bytes) ?? {}
  if (type === undefined || ending === undefined)
    throw new SottoError('voice/invalid-recording', {
      detail: msg('The service doesn’t accept this recording’s format.'),
    })
  allow(core, dictation)
  const answer = await core.relay.open({
    ask: {
      endpoint: 'audio/transcriptions',
      form: {
        fields: [
          ['response_format', 'json'],
          ...(model === undefined ? [] : [['model', model] as const]),
          ...(language === undefined ? [] : [['language', language] as const]),
        ],
        files: [
          {
            field: 'file',
            upload: {
              name: `recording.${ending}`,
              type,
              size: bytes.byteLength,
              content: toAsyncIterable(bytes),
            },
          },
        ],
      },
      ...(durationMs !== undefined && durationMs > 0 && { durationMs }),
    },
    caller: { kind },
    signal,
    mayPayPerRequest: false,
  })
  const response = await readBytes(answer.body, MAX_ANSWER_BYTES)
  const receipt = answer.receipt()
  const parsed = answerSchema.safeParse(tryParseJson(new TextDecoder().decode(response)))
  if (!parsed.success)
    throw new SottoError('service/response-invalid', {
      detail: msg('The response isn’t a transcript.'),
      receiptId: answer.receiptId,
    })
  return { text: parsed.data.text, ...(receipt && { receipt }) }
}

/** The service hears a message that is meant only for an enclave, so each recording needs a consent. */
function allow(
  core: Pick<UnlockedCore, 'conversations' | 'consents' | 'store'>,
  { conversationId, projectId, chatModel, consentId, model }: Dictation,
): void {
  const whole = conversationId === undefined ? undefined : core.conversations.get(conversationId)
  requireInProject(core, whole ? whole.conversation.projectId : projectId)
  if (
    !isPrivateOnly(whole?.conversation, whole?.messages ?? []) &&
    (chatModel === undefined || !isPrivateModel(chatModel))
  )
    return
  core.consents.use(consentId, {
    conversationId: conversationId ?? NEW_CONVERSATION,
    purpose: 'dictate',
    model,
    exposed: null,
  })
}
