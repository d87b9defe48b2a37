export { Button, type ButtonProps, buttonStyle, IconButton } from './button.tsx';
export { cn } from './cn.ts';
export { Dialog, DialogActions, Drawer } from './dialog.tsx';
export { labels } from './labels.ts';
export { Menu, MenuCheck, MenuChoice, MenuItem, MenuSeparator } from './menu.tsx';
export { Select, type SelectOption } from './select.tsx';
export {
  isCurrent,
  isWorking,
  NEEDS_YOU,
  type SessionSubject,
  STATUS_KINDS,
  STATUSES,
  type StatusKind,
  type StatusReading,
  statusOf,
  type TaskSubject,
} from './status.ts';
export { Status, StatusGlyph } from './status-view.tsx';
export { Tabs } from './tabs.tsx';
export { Field, inputStyle, TextArea, TextField } from './text-field.tsx';
export { Tooltips } from './tooltips.tsx';
