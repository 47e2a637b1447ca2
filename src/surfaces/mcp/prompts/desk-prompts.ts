import type { McpPrompt } from '../connections/connection.ts';
import { guidePrompt } from './guide.ts';
import { GUIDES } from './guides.ts';

/** The prompts that a client with these tools can follow. */
export function deskPrompts(tools: ReadonlySet<string>): McpPrompt[] {
  return GUIDES.flatMap((guide) => guidePrompt(guide, tools) ?? []);
}
