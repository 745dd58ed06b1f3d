import type { Conversation } from '../../src/shared/conversation.ts'
import type { ErrorCode } from '../../src/shared/error-codes.ts'
import type { Project } from '../../src/shared/project.ts'
import type { StoredConversation } from './mock-data.ts'

interface Parts {
  readonly state: { projects: Project[]; conversations: StoredConversation[] }
  readonly refuse: (code: ErrorCode) => never
  readonly newId: (prefix: string) => string
  readonly change: (id: string, patch: Partial<Conversation>) => Conversation
}

type Content = Pick<Project, 'name' | 'instructions' | 'model' | 'parameters' | 'budget' | 'privateOnly'>
/** A member that is absent doesn't change. */
type Changes = { readonly [K in keyof Content]?: Content[K] | undefined }

/** Projects of the mock core. */
export function createMockProjects({ state, refuse, newId, change }: Parts) {
  const known = (projectId: string) =>
    state.projects.find(({ id }) => id === projectId) ?? refuse('project/unknown')
  return {
    list: () => state.projects,
    get: known,
    create({
      name,
      instructions = '',
      model,
      parameters,
      budget,
      privateOnly = false,
    }: Changes & { name: string }) {
      const at = Date.now()
      const project: Project = {
        id: newId('project'),
        name,
        instructions,
        privateOnly,
        createdAt: at,
        updatedAt: at,
        ...(model !== undefined && { model }),
        ...(parameters && { parameters }),
        ...(budget && { budget }),
      }
      state.projects = [...state.projects, project]
      return project
    },
    spending(projectId: string) {
      known(projectId)
      return { spent: '1240000000000', reserved: '0' }
    },
    update({
      projectId,
      model,
      budget,
      ...changes
    }: Omit<Changes, 'model' | 'budget'> & {
      projectId: string
      model?: string | null | undefined
      budget?: Project['budget'] | null
    }) {
      const { model: formerModel, budget: formerBudget, ...former } = known(projectId)
      const limit = budget === null ? undefined : (budget ?? formerBudget)
      const chosen = model === null ? undefined : (model ?? formerModel)
      const project: Project = {
        ...former,
        name: changes.name ?? former.name,
        instructions: changes.instructions ?? former.instructions,
        privateOnly: changes.privateOnly ?? former.privateOnly,
        ...(chosen !== undefined && { model: chosen }),
        ...(changes.parameters && { parameters: changes.parameters }),
        ...(limit && { budget: limit }),
        updatedAt: Date.now(),
      }
      state.projects = state.projects.map((one) => (one.id === projectId ? project : one))
      return project
    },
    remove({ projectId, conversations }: { projectId: string; conversations: 'keep' | 'delete' }) {
      known(projectId)
      state.projects = state.projects.filter(({ id }) => id !== projectId)
      if (conversations === 'delete')
        state.conversations = state.conversations.filter(
          ({ conversation }) => conversation.projectId !== projectId,
        )
      else
        for (const { conversation } of state.conversations)
          if (conversation.projectId === projectId) change(conversation.id, { projectId: undefined })
      return { removed: true }
    },
    move(conversationId: string, projectId: string | null) {
      if (projectId !== null) known(projectId)
      return change(conversationId, { projectId: projectId ?? undefined })
    },
  }
}
