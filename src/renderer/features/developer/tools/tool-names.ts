import { t } from '@lingui/core/macro'
import type { ToolId } from '../../../../shared/tools/documentation.ts'

/** The names of the tools with ready-made settings. The command menu needs them before the settings are loaded. */
export const toolNames: Readonly<Record<ToolId, string>> = {
  curl: 'curl',
  'openai-python': 'OpenAI for Python',
  'openai-javascript': 'OpenAI for JavaScript',
  'anthropic-python': 'Anthropic for Python',
  'anthropic-typescript': 'Anthropic for TypeScript',
  langchain: 'LangChain',
  'ai-sdk': 'Vercel AI SDK',
  'openai-agents': 'OpenAI Agents SDK',
  llamaindex: 'LlamaIndex',
  get environment() {
    return t`Other tools`
  },
  'claude-code': 'Claude Code',
  codex: 'Codex CLI',
  opencode: 'opencode',
  'qwen-code': 'Qwen Code',
  pi: 'pi',
  aider: 'aider',
  goose: 'Goose',
  cline: 'Cline',
  'roo-code': 'Roo Code',
  'kilo-code': 'Kilo Code',
  vscode: 'VS Code',
  continue: 'Continue',
  zed: 'Zed',
  jetbrains: 'JetBrains IDEs',
  'open-webui': 'Open WebUI',
  librechat: 'LibreChat',
  anythingllm: 'AnythingLLM',
  obsidian: 'Obsidian (Copilot plugin)',
}

export const toolIds: readonly ToolId[] = Object.keys(toolNames).filter((id): id is ToolId => id in toolNames)
