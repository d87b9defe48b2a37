'use client';

import { memo, type ReactNode } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';
import { focusableIfScrollable } from '../lib/focusable-if-scrollable.ts';

const Heading = ({ children }: { readonly children?: ReactNode }) => <h3>{children}</h3>;

const remark = [remarkGfm];
const rehype = [rehypeSanitize];

/** Agents' headings stand one level below the transcript's, whatever they ask for; images would let a transcript call home. */
const components: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  pre: ({ children }) => <pre ref={focusableIfScrollable}>{children}</pre>,
  table: ({ children }) => <table ref={focusableIfScrollable}>{children}</table>,
  a: ({ children, href }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  img: ({ alt, src }) => <code>{alt || (typeof src === 'string' ? src : '')}</code>,
  input: ({ checked, type }) => (
    <input type={type} checked={checked === true} disabled aria-label={checked ? '☑' : '☐'} readOnly />
  ),
};

export const Markdown = memo(function Markdown({ text }: { readonly text: string }) {
  return (
    <div className="prose">
      <ReactMarkdown remarkPlugins={remark} rehypePlugins={rehype} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  );
});
