'use client';

import { memo } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import rehypeSanitize from 'rehype-sanitize';
import remarkGfm from 'remark-gfm';

const remark = [remarkGfm];
const rehype = [rehypeSanitize];

/** Agents' headings must not compete with the page's; images would let a transcript call home. */
const components: Components = {
  h1: ({ children }) => <h3>{children}</h3>,
  h2: ({ children }) => <h3>{children}</h3>,
  h3: ({ children }) => <h4>{children}</h4>,
  h4: ({ children }) => <h5>{children}</h5>,
  h5: ({ children }) => <h6>{children}</h6>,
  a: ({ children, href }) => (
    <a href={href} target="_blank" rel="noreferrer noopener">
      {children}
    </a>
  ),
  img: ({ alt, src }) => <code>{alt || (typeof src === 'string' ? src : '')}</code>,
  input: ({ checked, type }) => <input type={type} checked={checked === true} disabled aria-label={checked ? '☑' : '☐'} readOnly />,
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
