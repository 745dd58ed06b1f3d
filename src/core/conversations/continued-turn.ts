import { pathTo, treeOf } from '../../shared/conversation-tree.ts'
import { SottoError } from '../../shared/errors.ts'
import { cacheScopeOf, instructionsOf } from '../projects/private-only.ts'
import { requirePrivacy, requireReadable, type Turn, type TurnCore } from './chat-turn.ts'

export interface ResumeInput {
  conversationId: string
  answerId: string
  consentId?: string | undefined
}

/**
 * Creates the turn that continues an answer with tools, in the same message, with the same model. Only a person
 * continues it: nothing in Sotto does so automatically.
 *
 * @throws {SottoError} conversation/unknown, store/damaged, privacy/…, project/private-only, tools/no-resume – it
 * isn't the last message of its branch, it's complete or in progress, or its journal has no call
 */
export function turnToContinue(core: TurnCore, input: ResumeInput): Turn {
  const { conversationId, answerId, consentId } = input
  const { conversation: before, messages } = core.conversations.get(conversationId)
  requireReadable(before)
  const tree = treeOf(messages)
  const path = pathTo(tree, answerId).slice(0, -1)
  const [answer, question] = [tree.get(answerId), path.at(-1)]
  const records = core.conversations.recordsOf(conversationId)
  const earlier = records.tools.calls(answerId).filter((step) => step.conversationId === conversationId)
  const { model, state } = answer ?? {}
  if (
    question?.role !== 'user' ||
    model === undefined ||
    state === 'complete' ||
    state === 'streaming' ||
    earlier.length === 0 ||
    tree.childrenOf(answerId).length > 0
  )
    throw new SottoError('tools/no-resume')
  const { webSearch } = question
  requirePrivacy(core, { conversation: before, messages }, path, { model, webSearch, consentId })
  const resumed = records.messages.update(answerId, {
    state: 'streaming',
    end: undefined,
    errorCode: undefined,
    errorDetail: undefined,
  })
  const touched = records.conversations.touch(conversationId, { leafId: answerId })
  const conversation = { ...touched, ...(before.temporary && { temporary: true }) }
  return {
    records,
    conversation,
    path,
    question,
    answer: resumed,
    instructions: instructionsOf(core, conversation),
    cacheScope: cacheScopeOf(core, conversation),
    earlier,
  }
}
