CREATE TABLE "executions" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"pid" integer,
	"process_start_time" text,
	"started_at" timestamp(3) with time zone NOT NULL,
	"ended_at" timestamp(3) with time zone,
	"cause" text,
	"cause_detail" text,
	CONSTRAINT "executions_cause_iff_ended" CHECK (("executions"."ended_at" is not null) = ("executions"."cause" is not null))
);
--> statement-breakpoint
CREATE TABLE "feature_overrides" (
	"key" text PRIMARY KEY NOT NULL,
	"value" boolean NOT NULL
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"session_id" text NOT NULL,
	"id" text NOT NULL,
	"seq" bigint NOT NULL,
	"kind" text NOT NULL,
	"role" text,
	"payload" jsonb,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "messages_session_id_id_pk" PRIMARY KEY("session_id","id")
);
--> statement-breakpoint
CREATE TABLE "pending_requests" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"execution_id" text NOT NULL,
	"kind" text NOT NULL,
	"title" text NOT NULL,
	"detail" jsonb,
	"asked_by" text,
	"options" jsonb NOT NULL,
	"schema" jsonb,
	"created_at" timestamp(3) with time zone NOT NULL,
	"resolved_at" timestamp(3) with time zone,
	"outcome" jsonb,
	CONSTRAINT "pending_requests_kind" CHECK ("pending_requests"."kind" in ('permission', 'clarification'))
);
--> statement-breakpoint
CREATE TABLE "prompts" (
	"id" text PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"client_key" text NOT NULL,
	"origin" text NOT NULL,
	"text" text NOT NULL,
	"status" text DEFAULT 'queued' NOT NULL,
	"position" double precision NOT NULL,
	"reason" text,
	"error" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"settled_at" timestamp(3) with time zone,
	CONSTRAINT "prompts_client_key" UNIQUE("session_id","client_key"),
	CONSTRAINT "prompts_origin" CHECK ("prompts"."origin" in ('human', 'wakeup')),
	CONSTRAINT "prompts_status" CHECK ("prompts"."status" in ('queued', 'reserved', 'delivered', 'refused', 'dropped')),
	CONSTRAINT "prompts_settled_iff_final" CHECK (("prompts"."settled_at" is null) = ("prompts"."status" in ('queued', 'reserved')))
);
--> statement-breakpoint
CREATE TABLE "sessions" (
	"id" text PRIMARY KEY NOT NULL,
	"task_id" text NOT NULL,
	"agent_id" text NOT NULL,
	"provider" text NOT NULL,
	"title" text NOT NULL,
	"cwd" text NOT NULL,
	"state" text DEFAULT 'created' NOT NULL,
	"execution_id" text,
	"agent_session_id" text,
	"auto_run" boolean DEFAULT true NOT NULL,
	"stop_reason" text,
	"error" text,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "sessions_state" CHECK ("sessions"."state" in ('created', 'starting', 'running', 'waiting_for_input', 'idle', 'completed', 'failed', 'cancelled')),
	CONSTRAINT "sessions_execution_iff_live" CHECK (("sessions"."execution_id" is not null) = ("sessions"."state" in ('starting', 'running', 'waiting_for_input')))
);
--> statement-breakpoint
CREATE TABLE "settings" (
	"key" text PRIMARY KEY NOT NULL,
	"value" jsonb
);
--> statement-breakpoint
CREATE TABLE "task_dependencies" (
	"task_id" text NOT NULL,
	"depends_on_id" text NOT NULL,
	CONSTRAINT "task_dependencies_task_id_depends_on_id_pk" PRIMARY KEY("task_id","depends_on_id"),
	CONSTRAINT "task_dependencies_not_itself" CHECK ("task_dependencies"."task_id" <> "task_dependencies"."depends_on_id")
);
--> statement-breakpoint
CREATE TABLE "tasks" (
	"id" text PRIMARY KEY NOT NULL,
	"title" text NOT NULL,
	"description" text DEFAULT '' NOT NULL,
	"state" text DEFAULT 'backlog' NOT NULL,
	"position" double precision NOT NULL,
	"parent_id" text,
	"archived_at" timestamp(3) with time zone,
	"created_at" timestamp(3) with time zone NOT NULL,
	"updated_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "tasks_state" CHECK ("tasks"."state" in ('backlog', 'in_progress', 'review', 'done'))
);
--> statement-breakpoint
CREATE TABLE "tokens" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"label" text NOT NULL,
	"hash" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL,
	CONSTRAINT "tokens_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "transitions" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"session_id" text NOT NULL,
	"from" text NOT NULL,
	"to" text NOT NULL,
	"cause" text NOT NULL,
	"at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "users" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"created_at" timestamp(3) with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "executions" ADD CONSTRAINT "executions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "pending_requests" ADD CONSTRAINT "pending_requests_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "prompts" ADD CONSTRAINT "prompts_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sessions" ADD CONSTRAINT "sessions_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_dependencies" ADD CONSTRAINT "task_dependencies_task_id_tasks_id_fk" FOREIGN KEY ("task_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "task_dependencies" ADD CONSTRAINT "task_dependencies_depends_on_id_tasks_id_fk" FOREIGN KEY ("depends_on_id") REFERENCES "public"."tasks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_parent_id_tasks_id_fk" FOREIGN KEY ("parent_id") REFERENCES "public"."tasks"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tokens" ADD CONSTRAINT "tokens_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "transitions" ADD CONSTRAINT "transitions_session_id_sessions_id_fk" FOREIGN KEY ("session_id") REFERENCES "public"."sessions"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "executions_session" ON "executions" USING btree ("session_id","started_at");--> statement-breakpoint
CREATE INDEX "executions_open" ON "executions" USING btree ("id") WHERE "executions"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "messages_order" ON "messages" USING btree ("session_id","seq");--> statement-breakpoint
CREATE INDEX "pending_requests_open" ON "pending_requests" USING btree ("session_id") WHERE "pending_requests"."resolved_at" is null;--> statement-breakpoint
CREATE INDEX "pending_requests_session" ON "pending_requests" USING btree ("session_id");--> statement-breakpoint
CREATE INDEX "prompts_open" ON "prompts" USING btree ("session_id","position") WHERE "prompts"."status" in ('queued', 'reserved');--> statement-breakpoint
CREATE INDEX "sessions_task" ON "sessions" USING btree ("task_id");--> statement-breakpoint
CREATE INDEX "sessions_live" ON "sessions" USING btree ("id") WHERE "sessions"."state" in ('starting', 'running', 'waiting_for_input');--> statement-breakpoint
CREATE INDEX "task_dependencies_depends_on" ON "task_dependencies" USING btree ("depends_on_id");--> statement-breakpoint
CREATE INDEX "tasks_parent" ON "tasks" USING btree ("parent_id");--> statement-breakpoint
CREATE INDEX "tokens_user" ON "tokens" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "transitions_session" ON "transitions" USING btree ("session_id","id");