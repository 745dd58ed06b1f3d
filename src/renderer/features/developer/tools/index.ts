import { agents } from './agents.ts'
import { apps } from './apps.ts'
import { libraries } from './libraries.ts'
import { toolNames } from './tool-names.ts'
import type { Tool } from './tool.ts'

export { dialectNames, type Setting, type Tool } from './tool.ts'

/** Every tool with ready-made settings. */
export const tools: readonly Tool[] = [...libraries, ...agents, ...apps].map((tool) => ({
  ...tool,
  get name() {
    return toolNames[tool.id]
  },
}))

export function findTool(id: string | undefined): Tool | undefined {
  return tools.find((tool) => tool.id === id)
}

/** A key of which only the beginning can be read. */
export function maskKey(key: string): string {
  const shown = key.slice(0, Math.min(6, Math.floor(key.length / 3)))
  return `${shown}${'•'.repeat(12)}`
}
