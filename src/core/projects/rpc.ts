import { SottoError } from '../../shared/errors.ts'
import { msg } from '../../shared/localized-text.ts'
import { confirmed, type Call } from '../app/confirm.ts'
import type { ApiContext } from '../rpc/context.ts'
import { eventsWithFailures } from '../rpc/failure.ts'
import type { Implementer } from '../rpc/implementer.ts'
import {
  addProject,
  conversationsIn,
  moveToProject,
  projectOf,
  removeProject,
  writeProject,
} from './change-project.ts'
import { budgetOwnerOf, isBudgetRaised } from './project-budget.ts'

/** For a call without a signal. */
const never = new AbortController().signal

/**
 * Implements projectsContract. What ends the protection of a private-only project is confirmed outside the window.
 * Throws vault/locked, project/…, conversation/unknown, confirm/….
 */
export function projectsArea(core: ApiContext, os: Implementer['projects']) {
  /** Asks before conversations leave the private-only project. */
  async function confirmLeaving(projectId: string, call: Call): Promise<void> {
    const project = core.open().store.projects.get(projectId)
    if (project && !project.privateOnly) return
    await confirmed(
      core,
      msg('Let chats of the private-only project “{name}” be sent to models that others can read?', {
        name: project?.name ?? '',
      }),
      call,
    )
  }

  return {
    list: os.list.handler(() => core.open().store.projects.list()),
    get: os.get.handler(({ input }) => projectOf(core.open(), input.projectId)),
    create: os.create.handler(({ input: { instructions = '', privateOnly = false, ...input } }) =>
      addProject(core.open(), { ...input, instructions, privateOnly }),
    ),
    spending: os.spending.handler(({ input }) => {
      const { id } = projectOf(core.open(), input.projectId)
      const { spent, reserved, renewsAt } = core.open().budgets.money(budgetOwnerOf(id))
      return {
        spent: spent.toString(),
        reserved: reserved.toString(),
        ...(renewsAt !== undefined && { renewsAt }),
      }
    }),
    update: os.update.handler(async ({ input: { projectId, model, budget, ...changes }, ...call }) => {
      const former = projectOf(core.open(), projectId)
      if (former.privateOnly && changes.privateOnly === false) await confirmLeaving(projectId, call)
      if (budget !== undefined && isBudgetRaised(former.budget, budget ?? undefined))
        await confirmed(
          core,
          msg('Let chats of the project “{name}” spend more?', { name: former.name }),
          call,
        )
      // Another call may have changed it while the question waited.
      const { model: formerModel, budget: formerBudget, ...now } = projectOf(core.open(), projectId)
      // The name of a damaged record is unknown.
      if (now.damaged && changes.name === undefined) throw new SottoError('store/damaged')
      const { name = now.name, instructions = now.instructions, privateOnly = now.privateOnly } = changes
      const { parameters = now.parameters } = changes
      const chosen = model === null ? undefined : (model ?? formerModel)
      const limit = budget === null ? undefined : (budget ?? formerBudget)
      return writeProject(core.open(), projectId, {
        name,
        instructions,
        privateOnly,
        ...(chosen !== undefined && { model: chosen }),
        ...(parameters && { parameters }),
        ...(limit && { budget: limit }),
      })
    }),
    remove: os.remove.handler(async ({ input: { projectId, conversations }, ...call }) => {
      if (conversations === 'keep' && conversationsIn(core.open(), projectId).length > 0)
        await confirmLeaving(projectId, call)
      const removed = removeProject(core.open(), projectId, conversations === 'delete')
      core.open().knowledge.removeProject(projectId)
      return { removed }
    }),
    export: os.export.handler(({ input: { projectId, passphrase }, signal = never }) => {
      // A refusal is answered before the stream begins.
      const { id } = projectOf(core.open(), projectId)
      return eventsWithFailures(core.open().library.exportProject(id, passphrase, signal))
    }),
    importBegin: os.importBegin.handler(({ input }) => ({
      importId: core.open().library.beginProjectImport(input.passphrase),
    })),
    move: os.move.handler(async ({ input: { conversationId, projectId }, ...call }) => {
      const { projectId: formerId } = core.open().conversations.get(conversationId).conversation
      const isPrivate = projectId !== null && projectOf(core.open(), projectId).privateOnly
      if (formerId !== undefined && formerId !== projectId && !isPrivate) await confirmLeaving(formerId, call)
      return moveToProject(core.open(), conversationId, projectId)
    }),
  }
}
