import { unsupported } from '../read-request.ts'
import type { FunctionTool, ResponsesRequest } from './request-schema.ts'

export interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/** Chat completions have no namespaces: the tools of one are offered under names that begin with its own. */
export class ToolNames {
  readonly tools: readonly FunctionTool[]
  readonly #byChatName = new Map<string, ToolName>()

  /** Throws dialect/unsupported where two tools would get one name. */
  constructor(tools: ResponsesRequest['tools'] = []) {
    this.tools = tools.flatMap((tool, at) => {
      if (tool.type === 'function') return [this.#add({ name: tool.name }, tool, `tools[${at}].name`)]
      return tool.tools.map((inner, inside) => {
        const description = [tool.description, inner.description].filter(Boolean).join('\n\n')
        return this.#add(
          { name: inner.name, namespace: tool.name },
          { ...inner, ...(description !== '' && { description }) },
          `tools[${at}].tools[${inside}].name`,
        )
      })
    })
  }

  /** A name that was never offered is the model's own invention, and is passed on. */
  original(chatName: string): ToolName {
    return this.#byChatName.get(chatName) ?? { name: chatName }
  }

  #add(name: ToolName, tool: FunctionTool, param: string): FunctionTool {
    const flat = chatName(name)
    if (this.#byChatName.has(flat)) throw unsupported(param, 'Two tools have this name.')
    this.#byChatName.set(flat, name)
    return { ...tool, name: flat }
  }
}

/** The name by which chat completions know a tool: of `t` in the namespace `n`, `n__t`. */
export function chatName({
  name,
  namespace,
}: {
  readonly name: string
  readonly namespace?: string | undefined
}): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}
