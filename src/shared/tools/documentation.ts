/** Where each tool documents the settings that Sotto writes for it. docs/tools.md lists the same links. */
export const documentation = {
  curl: 'https://curl.se/docs/manpage.html',
  'openai-python': 'https://github.com/openai/openai-python',
  'openai-javascript': 'https://github.com/openai/openai-node',
  'anthropic-python': 'https://github.com/anthropics/anthropic-sdk-python',
  'anthropic-typescript': 'https://github.com/anthropics/anthropic-sdk-typescript',
  langchain: 'https://docs.langchain.com/oss/python/integrations/chat/openai',
  'ai-sdk': 'https://ai-sdk.dev/providers/openai-compatible-providers',
  'openai-agents': 'https://openai.github.io/openai-agents-python/models/',
  llamaindex: 'https://developers.llamaindex.ai/python/framework-api-reference/llms/openai_like/',
  environment: undefined,
  'claude-code': 'https://code.claude.com/docs/en/env-vars',
  codex: 'https://developers.openai.com/codex/config-reference',
  opencode: 'https://opencode.ai/docs/providers/#custom-provider',
  'qwen-code': 'https://qwenlm.github.io/qwen-code-docs/en/users/configuration/model-providers/',
  pi: 'https://github.com/badlogic/pi-mono/blob/main/packages/coding-agent/docs/models.md',
  aider: 'https://aider.chat/docs/llms/openai-compat.html',
  goose: 'https://block.github.io/goose/docs/guides/environment-variables',
  cline: 'https://docs.cline.bot/provider-config/openai-compatible',
  'roo-code': 'https://docs.roocode.com/providers/openai-compatible',
  'kilo-code': 'https://kilo.ai/docs/ai-providers/openai-compatible',
  continue: 'https://docs.continue.dev/reference',
  zed: 'https://zed.dev/docs/ai/use-api-access',
  vscode: 'https://code.visualstudio.com/docs/agent-customization/language-models',
  jetbrains: 'https://www.jetbrains.com/help/ai-assistant/bring-your-own-key-byok.html',
  'open-webui':
    'https://docs.openwebui.com/getting-started/quick-start/connect-a-provider/starting-with-openai-compatible',
  librechat: 'https://www.librechat.ai/docs/configuration/librechat_yaml/object_structure/custom_endpoint',
  anythingllm: 'https://docs.anythingllm.com/setup/llm-configuration/cloud/openai-generic',
  obsidian: 'https://github.com/logancyang/obsidian-copilot/blob/master/docs/llm-providers.md',
} as const

export type ToolId = keyof typeof documentation
