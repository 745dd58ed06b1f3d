import { unsupported } from '../read-request.ts'
import type { FunctionTool, ResponsesRequest } from './request-schema.ts'

export interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/**
 * Maps tool names. Chat completions have no namespaces, so the names of a namespace's tools begin with its
 * name.
 */
export class ToolNames {
  readonly tools: readonly FunctionTool[]
  readonly #byChatName = new Map<string, ToolName>()

  /** @throws {SottoError} dialect/unsupported – two tools would get one name */
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

  /**
   * Returns the original name. A name that wasn't offered is invented by the model, and is passed on
   * unchanged.
   */
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

/** Returns the tool's name in chat completions: for `t` in the namespace `n`, `n__t`. */
export function chatName({
  name,
  namespace,
}: {
  readonly name: string
  readonly namespace?: string | undefined
}): string {
  return namespace === undefined ? name : `${namespace}__${name}`
}
