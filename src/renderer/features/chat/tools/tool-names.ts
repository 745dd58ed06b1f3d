import { t } from '@lingui/core/macro'
import type { BuiltInTool, ToolStep } from '../../../../shared/tool-call.ts'

/** The names of Sotto's own tools. */
export const builtInNames: Readonly<Record<BuiltInTool, string>> = {
  get clock() {
    return t`Clock`
  },
  get calculator() {
    return t`Calculator`
  },
  get 'fetch-url'() {
    return t`Load a web page`
  },
  get 'web-search'() {
    return t`Web search`
  },
  get 'make-image'() {
    return t`Create an image`
  },
  get 'project-files'() {
    return t`Project documents`
  },
}

function isBuiltIn(name: string): name is BuiltInTool {
  return Object.hasOwn(builtInNames, name)
}

/** The name of a call's tool. A server chose the name of its tool, and the model the name of an unknown one. */
export function toolName({ tool, functionName }: Pick<ToolStep, 'tool' | 'functionName'>): string {
  if (tool?.kind === 'built-in' && isBuiltIn(tool.sourceId)) {
    const name = builtInNames[tool.sourceId]
    // A tool with several functions.
    return tool.name === tool.sourceId ? name : `${name} › ${tool.name}`
  }
  return tool ? `${tool.sourceName} › ${tool.name}` : functionName
}
