import { create } from 'zustand'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import type { Project } from '../../shared/project.ts'
import { api } from './api.ts'
import { asFailure } from './failure.ts'
import { onServiceChange, sameService } from './status-store.ts'

interface ProjectState {
  /** In the order of their creation; undefined until loaded. */
  readonly projects: readonly Project[] | undefined
  /** Why the last attempt to load them failed. */
  readonly failure: Failure | undefined
  /** The conversation whose project is being chosen. */
  readonly moving:
    | { readonly conversationId: string; readonly title: string; readonly projectId: string | undefined }
    | undefined
}

export const useProjects = create<ProjectState>()(() => ({
  projects: undefined,
  failure: undefined,
  moving: undefined,
}))

onServiceChange(() => useProjects.setState(useProjects.getInitialState()))

/** Loads the projects. A failure is in the store, with the projects that were loaded before. */
export async function loadProjects(): Promise<void> {
  const still = sameService()
  useProjects.setState({ failure: undefined })
  try {
    const projects = await api.projects.list()
    if (still()) useProjects.setState({ projects })
  } catch (thrown) {
    if (still()) useProjects.setState({ failure: asFailure(thrown) })
  }
}

/** Shows the project that a call returned. Throws what the call throws. */
export async function putProject(change: Promise<Project>): Promise<Project> {
  const still = sameService()
  const project = await change
  if (still())
    useProjects.setState(({ projects = [] }) => ({
      projects: projects.some(({ id }) => id === project.id)
        ? projects.map((known) => (known.id === project.id ? project : known))
        : [...projects, project],
    }))
  return project
}

export function useProject(projectId: string | undefined): Project | undefined {
  return useProjects(({ projects }) =>
    projectId === undefined ? undefined : projects?.find(({ id }) => id === projectId),
  )
}

export function askAboutProject(moving: ProjectState['moving']): void {
  useProjects.setState({ moving })
}
