import type { Conversation } from '../../shared/conversation.ts'
import { SottoError } from '../../shared/errors.ts'
import { isPrivateModel } from '../../shared/privacy.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { summedCost } from '../../shared/receipt-cost.ts'
import type { JsonObject, JsonValue } from '../../shared/strict-json.ts'
import type { Relay } from '../gateway/relay/index.ts'
import { isInPrivateProject } from '../projects/private-only.ts'
import type { Store } from '../storage/index.ts'
import type { ToolScope } from '../tools/index.ts'
import type { SendInput, Turn } from './chat-turn.ts'

/** What the requests of one answer with tools may cost together before another request: $1 in pico-USD. */
const ANSWER_LIMIT = 1_000_000_000_000n

/** Adds up the requests of one answer and of its searches, so that a model that calls tools forever can't spend without a limit. */
export class AnswerBudget {
  #spent = 0n

  note(receipt: Receipt | undefined): void {
    const cost = receipt && (summedCost(receipt) ?? receipt.estimate?.most)
    if (cost !== undefined) this.#spent += BigInt(cost)
  }

  /** Notes the receipt of a request that a tool sent. */
  noteSaved(receipts: Pick<Store['receipts'], 'get'>, id: string | undefined): void {
    if (id !== undefined) this.note(receipts.get(id) ?? undefined)
  }

  /** @throws {SottoError} tools/spending-limit */
  requireLeft(): void {
    if (this.#spent >= ANSWER_LIMIT) throw new SottoError('tools/spending-limit')
  }
}

/** The tools that this answer may use. Those that were stated replace the chat's earlier choice. */
export function chooseTools(
  { records, conversation }: Pick<Turn, 'records' | 'conversation'>,
  { tools }: Pick<SendInput, 'tools'>,
): readonly string[] {
  if (tools) records.tools.choose(conversation.id, tools)
  return tools ?? records.tools.chosen(conversation.id)
}

/** What decides which tools an answer of this model gets. */
export function scopeOf(
  store: Store,
  { projectId, temporary = false }: Conversation,
  model: string,
): ToolScope {
  return {
    projectId,
    temporary,
    hasBudget: projectId !== undefined && store.projects.get(projectId)?.budget !== undefined,
    localOnly: isInPrivateProject({ store }, projectId),
    isPrivate: isPrivateModel(model),
  }
}

/** Whether the listing states that the model accepts images. */
export async function acceptsImages({ models }: Pick<Relay, 'models'>, model: string): Promise<boolean> {
  const listed = await models.all().catch(() => [])
  return listed.find(({ id }) => id === model)?.inputModalities?.includes('image') ?? false
}

/** The messages of a body, which bodyOf wrote. */
export function messagesIn({ messages }: JsonObject): readonly JsonValue[] {
  return Array.isArray(messages) ? messages : []
}
